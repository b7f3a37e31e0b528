// Package hedge asks three mirrors for a file and takes the first answer.
package hedge

import (
	"net/http"
	"time"

	"example.com/services/kit"
)

type Mirrors struct{ names []string }

func (m *Mirrors) First(file string) string {
	answers := make(chan string)
	for _, name := range m.names {
		go m.ask(name, file, answers)
	}
	return <-answers
}

func (m *Mirrors) ask(name, file string, answers chan string) {
	time.Sleep(time.Duration(len(name)) * time.Millisecond)
	answers <- name + file
}

func Main() {
	kit.Start()
	m := &Mirrors{[]string{"de", "nl", "us-east"}}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { m.First(r.URL.Path) }))
	kit.Ask(7, 100*time.Millisecond, url)
	kit.Ask(1000, 20*time.Second, url)
}
