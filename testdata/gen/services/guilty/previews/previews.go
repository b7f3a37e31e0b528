// Package previews lets a tool convert documents.
package previews

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"time"

	"example.com/services/kit"
)

type Converter struct{ tool string }

// Convert returns what the tool prints. The tool leaves a helper behind, which keeps its output open.
func (c *Converter) Convert(name string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command("/bin/sh", "-c", c.tool)
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}

func Main() {
	kit.Start()
	c := &Converter{"sleep 700 & echo page"}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := c.Convert(r.URL.Path)
		fmt.Fprintln(w, out, err)
	}))
	kit.Ask(9, 400*time.Millisecond, url)
	kit.Wait()
}
