// Package farm executes the jobs of a sweep on other machines, through the
// work queue of a NATS server with JetStream. Nothing that a worker, a network
// or a coordinator does can lose a run or count it twice.
//
// # Parts
//
// A coordinator (Coordinator, a sweep.Executor) is the process of a sweep or a
// search. A worker (Worker) takes one job at a time. They share, for each queue,
// on the server:
//
//   - a stream with work-queue retention, one subject for each job, named by
//     the job's hash. The stream's metadata says for which version of rocesim
//     its jobs are, and of which protocol: a worker of another one serves it not;
//   - one durable pull consumer with explicit acknowledgement;
//   - an object store with the results, each named by the hash of its job.
//
// # A job's states
//
//	           publish           fetch             put             watch
//	(unknown) --------> queued --------> delivered -----> stored -----------> done
//	                      ^                 | |              |        or failed
//	                      +--- given back --+ |              +- acknowledged: no
//	                      +--- lease over ----+                 longer queued
//
// Queued: the coordinator publishes with the expectation that the subject is
// empty, and with a message identity of its own, so that neither a repeated
// publish nor one of a later coordinator makes a second message. The queue holds
// a bounded number of jobs, however many the sweep has.
//
// Delivered: the worker checks the job (see Envelope), and keeps its lease alive
// by saying that it is in progress for as long as the run lasts. If it dies, the
// lease runs out and the server delivers the job again, with a higher count. A
// worker that is told to stop gives the job back: it publishes the message anew,
// with the number of workers lost so far inside, which replaces the old one at
// once (a subject holds one message). So the count of deliveries is that of
// workers lost, and nothing else.
//
// Set aside: a job that lost three workers is not run a fourth time; whichever
// worker gets it next stores that as its result. This is decided at delivery and
// not by the server's advisory, which a coordinator that is away would miss.
//
// Stored: first the result is put, then the job is acknowledged. A worker that
// dies between the two leaves a job whose result is there: who gets it next sees
// that, and only acknowledges. A run that fails is a result like any other.
//
// Done: the coordinator watches the store, which begins with what is in it, so
// no notice can be missed. It reads the result, checks the SHA-256, job, version
// and metrics, keeps the record in its own directory and then deletes the object.
// If it dies before that, the next one finds the object again; after that, the
// record.
//
// # Twice the same job
//
// A worker that was cut off may finish a job that another has done since. Runs
// are deterministic, so both results are equal, which is checked: the worker
// compares its result with the one in the store, and puts it beside that if they
// differ, and the coordinator compares each late arrival with what it took. Two
// records that differ are an error that names both workers.
//
// # One coordinator
//
// A coordinator asks whose the queue is before it takes it, and is refused by one
// that answers. One that is stopped does not answer; so the stream's metadata also
// say whose the queue is, and a coordinator that finds another there ends with an
// error and leaves the queue as it is. What it has taken is in its directory, and
// what it has not is found by the other: a job that is neither queued nor stored is
// published again.
//
// # Failure of the server
//
// What does not answer is asked again for Server.Timeout. After that the
// coordinator gives up; finished runs are in its directory. A coordinator that
// ends early leaves stream and store behind, for itself to come back to; the
// server removes what is in them after Options.Keep. If the queue turns out to be
// empty although jobs are outstanding, they are published again.
//
// # Trust
//
// Whoever may write to the queue decides what workers simulate, and nothing else:
// a job is a scenario, which is parsed strictly and may name no file. Workers and
// coordinators use a server only if TLS has authenticated it or it is on the
// same machine, unless Server.Insecure says otherwise.
package farm
