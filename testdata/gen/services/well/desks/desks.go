// Package desks asks the other desk in one direction only, many at a time.
package desks

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/actor"
)

func Main() {
	kit.Start()
	back := actor.Spawn(2, func(*actor.Ref, any) any { time.Sleep(30 * time.Millisecond); return 1 })
	front := actor.Spawn(2, func(_ *actor.Ref, b any) any { return back.Ask(b) })
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { front.Ask(1) }))
	for range 20 {
		go func() {
			for {
				kit.Get(url)
			}
		}()
	}
	kit.Wait()
}
