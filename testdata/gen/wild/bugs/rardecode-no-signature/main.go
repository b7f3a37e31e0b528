// Command rardecode-no-signature lists what is in uploaded archives.
//
// https://github.com/nwaples/rardecode/issues/51
package main

import (
	"log"
	"strings"
	"time"

	"github.com/nwaples/rardecode/v2"

	"wild/kit"
)

func main() {
	kit.Serve()
	go func() {
		for _, upload := range []string{"", "Any text that is no archive"} {
			log.Print(list(upload))
		}
	}()
	for range time.Tick(time.Minute) {
		log.Print("alive")
	}
}

// list lists the files of an upload.
func list(upload string) (names []string, err error) {
	r, err := rardecode.NewReader(strings.NewReader(upload))
	if err != nil {
		return nil, err
	}
	for {
		header, err := r.Next()
		if err != nil {
			return names, err
		}
		names = append(names, header.Name)
	}
}
