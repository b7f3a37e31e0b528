// Package pricefeed streams prices to browsers.
package pricefeed

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/alicebob/miniredis/v2"
	"github.com/labstack/echo/v4"
	"github.com/redis/go-redis/v9"
)

// A feed subscribes for each browser.
type feed struct {
	rdb *redis.Client
}

// relay decodes messages for one browser.
func (f *feed) relay(sub *redis.PubSub, out chan<- string) {
	for m := range sub.Channel() {
		out <- m.Channel + " " + m.Payload
	}
}

// stream is the answer to a browser: lines until it leaves.
func (f *feed) stream(c echo.Context) error {
	sub := f.rdb.Subscribe(context.Background(), "prices")
	lines := make(chan string)
	go f.relay(sub, lines)
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().WriteHeader(http.StatusOK)
	for {
		select {
		case line := <-lines:
			if _, err := fmt.Fprintf(c.Response(), "data: %s\n\n", line); err != nil {
				return err
			}
			c.Response().Flush()
		case <-c.Request().Context().Done():
			return nil
		}
	}
}

func (f *feed) quote() {
	for i := 0; ; i++ {
		f.rdb.Publish(context.Background(), "prices", fmt.Sprint("oil ", 70+i%9))
		time.Sleep(250 * time.Millisecond)
	}
}

func Main() {
	kit.Start()
	server, err := miniredis.Run()
	if err != nil {
		panic(err)
	}
	f := &feed{rdb: redis.NewClient(&redis.Options{Addr: server.Addr()})}
	go f.quote()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/prices", f.stream)
	url := kit.API(e)
	kit.Ask(45, 2*time.Second, url+"/prices")
	kit.Wait()
}
