package rc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
)

var rewrite = flag.Bool("rewrite", false, "write what the scripts in testdata print into them; read the difference before committing it")

// TestScripts runs testdata/*.txt. A line "> command" is run; the lines behind
// it, indented by two spaces, are what it prints. All others are comment.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			got := runScript(t, string(text))
			if *rewrite {
				require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got, "run with -rewrite to accept")
		})
	}
}

// runScript returns the script with its output replaced by what it prints now.
func runScript(t *testing.T, text string) string {
	var b strings.Builder
	var s script
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		b.WriteString(line)
		if command, ok := strings.CutPrefix(line, "> "); ok {
			s.out = &b
			s.run(t, strings.Fields(command))
		}
	}
	return b.String()
}

// script holds a requester and a responder that the commands act on.
type script struct {
	out  *strings.Builder
	req  Requester
	resp receiver
}

func (s *script) run(t *testing.T, args []string) {
	switch args[0] {
	case "requester": // mtu=1024 ackevery=0 first=0
		s.req.Init(s.option(t, args, "mtu"), s.option(t, args, "ackevery"), s.psn(t, args, "first"))
	case "go-back-0", "go-back-n", "selective-repeat": // window=0
		how := map[string]Recovery{"go-back-0": GoBack0, "go-back-n": GoBackN, "selective-repeat": SelectiveRepeat}[args[0]]
		require.Equal(t, args[0], how.String())
		s.req.Recover(how, s.option(t, args, "window"))
	case "responder", "out-of-order", "restarting", "selective": // first=0 ackevery=0
		how := map[string]Recovery{"restarting": GoBack0, "selective": SelectiveRepeat}[args[0]]
		s.resp = newReceiver(how, args[0] == "out-of-order", s.psn(t, args, "first"), s.option(t, args, "ackevery"))
	case "renak":
		s.resp.(interface{ ReNak() }).ReNak()
	case "receive", "run": // psn=0 [last] [ackreq]; run has n=5 packets and prints the last verdict
		s.receive(t, args)
	default:
		s.runRequester(t, args)
	}
}

func (s *script) runRequester(t *testing.T, args []string) {
	switch args[0] {
	case "post": // bytes=3000 msg=1
		s.req.Post(int64(s.option(t, args, "bytes")), uint32(s.option(t, args, "msg")))
	case "next": // n=3
		for range s.option(t, args, "n") {
			s.next()
		}
	case "skip": // n=1000: next without printing
		for range s.option(t, args, "n") {
			if !s.req.HasNext() {
				t.Fatalf("%v: nothing to send", args)
			}
			s.req.Next()
		}
	case "ack": // psn=3
		s.printf("advanced %d", s.req.Ack(s.psn(t, args, "psn")))
	case "nak": // psn=3
		s.printf("advanced %d", s.req.Nak(s.psn(t, args, "psn")))
	case "sack": // psn=3 received=7
		s.printf("advanced %d", s.req.Sack(s.psn(t, args, "psn"), s.psn(t, args, "received")))
	case "timeout":
		s.req.Timeout()
	case "completed":
		s.messages(s.req.Completed)
	case "flush":
		s.messages(s.req.Flush)
	case "state":
		s.printf("next %t, in flight %d, outstanding %t, idle %t",
			s.req.HasNext(), s.req.InFlight(), s.req.Outstanding(), s.req.Idle())
	default:
		t.Fatalf("unknown command %q", args[0])
	}
}

func (s *script) next() {
	if !s.req.HasNext() {
		s.printf("nothing to send")
		return
	}
	g := s.req.Next()
	line := fmt.Sprintf("psn %d, %d bytes of %d", g.PSN, g.Payload, g.Msg)
	for _, f := range []struct {
		set  bool
		name string
	}{{g.First, "first"}, {g.Last, "last"}, {g.AckReq, "ackreq"}, {g.Retransmit, "again"}} {
		if f.set {
			line += ", " + f.name
		}
	}
	s.printf("%s", line)
}

// messages prints what pop returns until there is no more.
func (s *script) messages(pop func() (msg uint32, ok bool)) {
	var done []string
	for msg, ok := pop(); ok; msg, ok = pop() {
		done = append(done, strconv.Itoa(int(msg)))
	}
	s.printf("messages [%s]", strings.Join(done, " "))
}

func (s *script) receive(t *testing.T, args []string) {
	first, n := s.psn(t, args, "psn"), 1
	if args[0] == "run" {
		n = s.option(t, args, "n")
	}
	last, ackReq := flagged(args, "last"), flagged(args, "ackreq")
	var line string
	for i := range n {
		v, messages := s.resp.Receive(first.Add(i), last, ackReq)
		line = v.String()
		if _, one := s.resp.(*plain); !one {
			line += fmt.Sprintf(", %d messages", messages)
		}
	}
	s.printf("%s; has all to %d, expects %d", line, s.resp.AckPSN(), s.resp.Expected())
}

func (s *script) printf(format string, args ...any) {
	fmt.Fprintf(s.out, "  "+format+"\n", args...)
}

func (s *script) option(t *testing.T, args []string, name string) int {
	for _, a := range args[1:] {
		if v, ok := strings.CutPrefix(a, name+"="); ok {
			n, err := strconv.Atoi(v)
			require.NoError(t, err)
			return n
		}
	}
	t.Fatalf("%s: %s is missing", strings.Join(args, " "), name)
	return 0
}

func (s *script) psn(t *testing.T, args []string, name string) packet.PSN {
	return packet.PSN(s.option(t, args, name))
}

func flagged(args []string, name string) bool {
	for _, a := range args[1:] {
		if a == name {
			return true
		}
	}
	return false
}
