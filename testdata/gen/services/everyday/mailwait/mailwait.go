// Package mailwait tells 500 mail clients when there is mail: each request waits until its mailbox has changed.
//
// It looks like requests for which nobody is left, and like a signal that was lost (requests-wait-for-nobody,
// cond-missed-signal, request-stuck): 500 requests wait in a sync.Cond. Mail comes by a request too, now and then.
package mailwait

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/gin-gonic/gin"
)

type mailbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	count   int
}

// next waits for the next change.
func (m *mailbox) next(ctx context.Context) int {
	defer context.AfterFunc(ctx, m.changed.Broadcast)()
	m.mu.Lock()
	defer m.mu.Unlock()
	for before := m.count; m.count == before && ctx.Err() == nil; {
		m.changed.Wait()
	}
	return m.count
}

func (m *mailbox) deliver() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
	m.changed.Broadcast()
}

type post struct{ boxes map[string]*mailbox }

func (p *post) idle(c *gin.Context) {
	c.String(http.StatusOK, "%d", p.boxes[c.Param("box")].next(c.Request.Context()))
}

func (p *post) mail(c *gin.Context) {
	p.boxes[c.Param("box")].deliver()
}

func ask(url string) {
	for {
		answer, err := http.Get(url)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		answer.Body.Close()
	}
}

// Main serves mailboxes.
func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	p, engine := &post{map[string]*mailbox{}}, gin.New()
	for i := range 100 {
		m := new(mailbox)
		m.changed = sync.NewCond(&m.mu)
		p.boxes[fmt.Sprint(i)] = m
	}
	engine.GET("/:box", p.idle)
	engine.PUT("/:box", p.mail)
	url := kit.API(engine)
	for i := range 500 {
		go ask(fmt.Sprint(url, "/", i%100))
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(40 * time.Second)
			request, _ := http.NewRequest(http.MethodPut, fmt.Sprint(url, "/", i%5), nil)
			if answer, err := http.DefaultClient.Do(request); err == nil {
				answer.Body.Close()
			}
		}
	}()
	kit.Wait()
}
