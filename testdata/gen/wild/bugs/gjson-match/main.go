// Command gjson-match finds documents by a path that a client sends.
//
// https://github.com/advisories/GHSA-ppj4-34rq-v8j9
package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"wild/kit"
)

var document = fmt.Sprintf(`[{"name":"%s"}]`, strings.Repeat("a", 60))

func main() {
	kit.Serve()
	http.HandleFunc("/find", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, find(r.FormValue("path")))
	})
	for {
		log.Print(find(`#(name%"` + strings.Repeat("*a", 20) + `b")`))
		time.Sleep(time.Second)
	}
}

// find returns what is at a path.
func find(path string) string { return gjson.Get(document, path).String() }
