// Command tags tags articles; the map is made with the first tag.
package main

import (
	"encoding/json"
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type article struct {
	Title string
	Tags  map[string]int
}

func (a *article) tag(name string) {
	if a.Tags == nil {
		a.Tags = map[string]int{}
	}
	a.Tags[name]++
}

func main() {
	kit.Start()
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
