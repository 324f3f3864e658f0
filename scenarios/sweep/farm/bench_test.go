package farm

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkJob is what a run costs beside its simulation: two workers, with a
// server that listens.
func BenchmarkJob(b *testing.B) {
	secret, err := NewSecret()
	require.NoError(b, err)
	e, err := Listen("0", secret)
	require.NoError(b, err)
	defer e.Close()
	to := Server{URL: e.URL(), Secret: secret, Timeout: hang}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	for i := range cap(ended) {
		conn, err := Connect(ctx, to)
		require.NoError(b, err)
		defer conn.Close()
		w := Worker{Name: fmt.Sprint("w", i), Tool: "test", Run: fake}
		go func() { ended <- w.Serve(ctx, conn) }()
	}
	conn, err := Connect(ctx, to)
	require.NoError(b, err)
	defer conn.Close()
	c, err := NewCoordinator(conn, Options{Queue: "q", Tool: "test", Memory: true})
	require.NoError(b, err)
	b.ResetTimer()
	require.NoError(b, c.Execute(ctx, upTo(b.N), jobs, newOutcome().done))
	b.StopTimer()
	require.NoError(b, c.Close(ctx))
	cancel()
	for range cap(ended) {
		require.NoError(b, <-ended)
	}
}
