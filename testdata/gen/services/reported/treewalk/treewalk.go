// Package treewalk answers whether a tree has a value.
package treewalk

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/tree"
)

type index struct {
	root *tree.Node
	slow bool
}

func (x *index) has(value int) bool {
	for v := range x.root.Iter() {
		if x.slow {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if v == value {
			return true
		}
	}
	return false
}

func Main(fixed bool) {
	kit.Start()
	x := &index{tree.Build(6), fixed}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, x.has(2)) }))
	kit.Ask(9000, 600*time.Millisecond, url)
}
