// Package mailer: the only worker has ended by a panic, which it recovered from; who sends fills the queue.
package mailer

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"aged/kit"
)

type mail struct {
	template string
	headers  map[string]string
}

type mailer struct{ queue chan *mail }

// work sends what is queued. A bad mail must not take the process down.
func (m *mailer) work() {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintln(os.Stderr, "mailer:", p)
		}
	}()
	for mail := range m.queue {
		m.deliver(mail)
	}
}

func (m *mailer) deliver(mail *mail) {
	time.Sleep(10 * time.Millisecond)
	mail.headers["Subject"] = strings.ToTitle(mail.template)
}

func (m *mailer) send(mail *mail) { m.queue <- mail }

// Main serves it.
func Main() {
	m := &mailer{make(chan *mail, 20)}
	go m.work()
	var n atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/signup", func(w http.ResponseWriter, r *http.Request) {
		letter := &mail{template: "welcome"}
		if n.Add(1) < 10 {
			letter.headers = map[string]string{}
		}
		m.send(letter)
	})
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 4*time.Second, "/signup")
	go kit.Visit(address, 2*time.Second, "/healthz")
	kit.Wait()
}
