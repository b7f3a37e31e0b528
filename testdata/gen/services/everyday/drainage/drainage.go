// Package drainage shuts down: main waits in Shutdown until the last downloads have ended, which takes half an hour.
//
// It looks like a shutdown that hangs (close-waits-for-itself, shutdown-waits, request-stuck). Each download goes on, a
// piece each two seconds, as fast as its client reads; the platform gives the process an hour to end.
package drainage

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"
)

func film(c *gin.Context) {
	limit := rate.NewLimiter(rate.Every(2*time.Second), 1)
	for range 900 {
		if limit.Wait(c.Request.Context()) != nil {
			return
		}
		if _, err := c.Writer.Write(make([]byte, 1<<10)); err != nil {
			return
		}
		c.Writer.Flush()
	}
}

func download(url string) {
	answer, err := http.Get(url)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
}

// Main serves for ten seconds, and drains.
func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/film", film)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: engine}
	go server.Serve(l)
	for range 12 {
		go download("http://" + l.Addr().String() + "/film")
	}
	time.Sleep(10 * time.Second)
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	server.Shutdown(ctx)
}
