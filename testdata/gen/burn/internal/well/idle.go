package well

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"example.com/fixtures/burn/run"
)

// startIdle has a server, tickers and a probe now and then.
func startIdle(s *run.Service) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Go(func(context.Context) { http.Serve(l, mux) })
	s.Go(func(ctx context.Context) {
		var c run.Chores
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			<-tick.C
			c.Spend(3 * time.Millisecond)
			resp, err := http.Get("http://" + l.Addr().String() + "/healthz")
			if err != nil {
				s.Fail(err)
				return
			}
			resp.Body.Close()
		}
	})
	return nil
}
