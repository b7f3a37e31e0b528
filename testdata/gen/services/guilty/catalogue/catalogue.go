// Package catalogue prints lists of books while others move them.
package catalogue

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/guilty/catalogue/shelf"
	"example.com/services/kit"
)

type printer struct{ shelves *shelf.Shelves }

func (p *printer) list(w http.ResponseWriter, _ *http.Request) {
	p.shelves.Describe(func(book string) { fmt.Fprintln(w, book, p.shelves.Place(book)) })
}

func Main() {
	kit.Start()
	p := &printer{shelf.New()}
	url := kit.API(http.HandlerFunc(p.list))
	go kit.Ask(1000, 30*time.Millisecond, url)
	time.Sleep(time.Second)
	for i := 0; ; i++ {
		p.shelves.Move("go", i)
		time.Sleep(15 * time.Millisecond)
	}
}
