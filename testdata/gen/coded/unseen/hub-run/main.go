// Hub-run serves subscribers once it has its topics.
package main

import (
	"coded/kit"
	"coded/unseen/hub-run/hub"
	"time"
)

func load(h *hub.Hub) {
	time.Sleep(22 * time.Minute)
	h.Run()
}

func main() {
	kit.Serve()
	h := hub.New()
	go load(h)
	for n := 0; n < 5; n++ {
		go h.Join(n)
	}
	kit.Wait()
}
