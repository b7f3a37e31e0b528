// Package locale loads texts of languages once, each from the one that it falls back to.
package locale

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Texts struct {
	once     sync.Once
	fallback *Texts
	words    map[string]string
	load     func() map[string]string
}

func (t *Texts) Word(key string) string {
	t.once.Do(t.fill)
	return t.words[key]
}

func (t *Texts) fill() {
	t.words = t.load()
	if _, ok := t.words["title"]; !ok {
		t.words["title"] = t.fallback.Word("title")
	}
}

func Main() {
	kit.Start()
	empty := func() map[string]string { time.Sleep(50 * time.Millisecond); return map[string]string{} }
	de, at := &Texts{load: empty}, &Texts{load: empty}
	de.fallback, at.fallback = at, de
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(de.Word("title"))) }))
	time.Sleep(2 * time.Second)
	kit.Ask(22, 60*time.Millisecond, url)
	kit.Wait()
}
