// Package tickerfeed sends events to 300 browsers by gin's Stream, each on its own channel.
//
// It looks like requests that hang (request-stuck, requests-wait-for-nobody, select-leak): 300 handlers wait in one
// select for twenty minutes. Each gets an event when there is one; at night that is one in ten minutes.
package tickerfeed

import (
	"bufio"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/gin-gonic/gin"
)

type broadcaster struct {
	mu      sync.Mutex
	members map[chan string]bool
}

func (b *broadcaster) join() chan string {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := make(chan string, 4)
	b.members[c] = true
	return c
}

func (b *broadcaster) leave(c chan string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.members, c)
}

func (b *broadcaster) publish(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.members {
		select {
		case c <- text:
		default:
		}
	}
}

func (b *broadcaster) events(c *gin.Context) {
	texts := b.join()
	defer b.leave(texts)
	c.SSEvent("hello", "")
	c.Writer.Flush()
	c.Stream(func(io.Writer) bool {
		select {
		case text := <-texts:
			c.SSEvent("price", text)
			return true
		case <-c.Request.Context().Done():
			return false
		}
	})
}

// browse reads events as a browser does.
func browse(url string) {
	answer, err := http.Get(url)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		_ = lines.Text()
	}
}

// Main serves the feed.
func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	b, engine := &broadcaster{members: map[chan string]bool{}}, gin.New()
	engine.GET("/events", b.events)
	url := kit.API(engine)
	for range 300 {
		go browse(url + "/events")
	}
	go func() {
		for range time.Tick(10 * time.Minute) {
			b.publish("42.00")
		}
	}()
	kit.Wait()
}
