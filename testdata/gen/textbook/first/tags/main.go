// Command tags tags articles; the map of an article that was read from JSON is nil when the first tag is set.
package main

import (
	"encoding/json"
	"fmt"
	"time"
)

type article struct {
	Title string
	Tags  map[string]int
}

func (a *article) tag(name string) {
	a.Tags[name]++
}

func main() {
	for _, text := range []string{`{"Title": "Tides", "Tags": {"sea": 1}}`, `{"Title": "Dunes"}`} {
		var a article
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			panic(err)
		}
		a.tag("coast")
		fmt.Println(a)
		time.Sleep(300 * time.Millisecond)
	}
	select {}
}
