// Package watchers asks for changes; the answer comes when there is one.
package watchers

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/services/kit"
)

func wait(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(50 * time.Second):
		fmt.Fprintln(w, "changed")
	case <-r.Context().Done():
	}
}

func watch(client *http.Client, url string) {
	for {
		answer, err := client.Get(url)
		if err != nil {
			return
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

func Main() {
	kit.Start()
	url := kit.API(http.HandlerFunc(wait))
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 40}}
	for range 35 {
		go watch(client, url)
		time.Sleep(1300 * time.Millisecond)
	}
	kit.Wait()
}
