package farm

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// protocol changes when coordinators and workers of before cannot take part.
const protocol = "rocesim farm 1"

// consumerName is the consumer that all workers of a queue share.
const consumerName = "workers"

// streamPrefix begins the names of our streams on a server that others use too.
const streamPrefix = "rocesim-jobs-"

// Keys of a stream's metadata.
const (
	metaTool     = "rocesim-version"
	metaProtocol = "rocesim-protocol"
	metaOwner    = "rocesim-owner"
)

// mostLost is how many workers a job may lose before it is set aside.
const mostLost = 3

// names are what a queue consists of on the server.
type names struct{ queue string }

func (n names) stream() string             { return streamPrefix + n.queue }
func (n names) bucket() string             { return "rocesim-results-" + n.queue }
func (n names) subject(hash string) string { return "rocesim.jobs." + n.queue + "." + hash }
func (n names) trouble() string            { return "rocesim.trouble." + n.queue }
func (n names) owner() string              { return "rocesim.owner." + n.queue }

// farewell is where a server that listens says that it ends.
const farewell = "rocesim.farewell"

// Streams and subjects of an object store are as the clients of NATS have agreed
// (its architecture decision record 20).
func (n names) objects() string           { return "OBJ_" + n.bucket() }
func (n names) chunks(nuid string) string { return "$O." + n.bucket() + ".C." + nuid }
func (n names) meta(name string) string {
	return "$O." + n.bucket() + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

// allJobs is a pattern of the subjects of every queue.
const allJobs = "rocesim.jobs.>"

// CheckQueue says whether a queue may have this name.
func CheckQueue(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a queue; allowed are 1 to 64 letters, digits, dashes and underscores", name)
	}
	return nil
}

// QueueOf derives a queue's name from what tells sweeps apart, such as machine
// and directory: the same words give the same queue, so that a sweep finds its
// own again.
func QueueOf(words ...string) string {
	sum := sha256.Sum256([]byte(protocol + "\n" + strings.Join(words, "\n")))
	return hex.EncodeToString(sum[:8])
}

// streamConfig describes the queue of jobs. A subject holds one message, so
// that a job given back takes the place of the one delivered.
func (n names) streamConfig(opt *Options, owner string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: n.stream(), Description: "jobs of a rocesim sweep", Subjects: []string{n.subject("*")},
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1,
		MaxAge: opt.Keep, Storage: opt.storage(), Duplicates: min(opt.Keep, 2*time.Minute),
		Metadata: map[string]string{metaTool: opt.Tool, metaProtocol: protocol, metaOwner: owner},
	}
}

// consumerConfig describes how jobs are handed out. There is no limit of
// deliveries: see the package's comment on what is set aside.
func (n names) consumerConfig(opt *Options) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: opt.Lease,
		MaxDeliver: -1, MaxAckPending: -1,
	}
}

// bucketConfig describes the store of results.
func (n names) bucketConfig(opt *Options) jetstream.ObjectStoreConfig {
	return jetstream.ObjectStoreConfig{
		Bucket: n.bucket(), Description: "results of a rocesim sweep", TTL: opt.Keep, Storage: opt.storage(),
	}
}
