package well

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"

	"example.com/fixtures/burn/run"
)

// startTLS answers requests on TLS connections that stay.
func startTLS(s *run.Service) error {
	body := bytes.Repeat([]byte("payload "), 200)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sum := 0
		for i := 0; i < 20000; i++ {
			sum += i * i % 7
		}
		w.Header().Set("X-Sum", strconv.Itoa(sum))
		w.Write(body)
	}))
	client := server.Client()
	for i := 0; i < 2; i++ {
		s.Loop(func() {
			resp, err := client.Get(server.URL)
			if err != nil {
				s.Fail(err)
				return
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		})
	}
	return nil
}
