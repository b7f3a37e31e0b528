// Door-release opens a door when its button is pressed.
package main

import (
	"fmt"
	"log"
	"net/http"

	"coded/kit"
)

func main() {
	kit.Serve()
	for n := 0; n < 6; n++ {
		door(n)
	}
	kit.Wait()
}

// door opens each time when its page is asked for.
func door(n int) {
	pressed := make(chan string)
	http.HandleFunc(fmt.Sprint("/door/", n), func(w http.ResponseWriter, r *http.Request) {
		pressed <- r.RemoteAddr
	})
	go func() {
		for {
			log.Print("door ", n, " opens for ", <-pressed)
		}
	}()
}
