// Command accept-language-dashes is a service that greets its visitors in the language that their browsers ask for.
//
// Report: https://github.com/golang/go/issues/56152
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/language"

	"wild/kit"
)

// greetings are by language; matcher knows the same languages in the same order.
var (
	languages = []language.Tag{language.English, language.German, language.French}
	greetings = []string{"Hello", "Hallo", "Bonjour"}
	matcher   = language.NewMatcher(languages)
)

// locale returns which of our languages suits a visitor. What cannot be understood means the first.
func locale(header string) int {
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return 0
	}
	_, index, _ := matcher.Match(wanted...)
	return index
}

// greet answers a visitor.
func greet(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, greetings[locale(r.Header.Get("Accept-Language"))])
}

// visit asks for the greeting again and again, with a pause after each answer.
func visit(url, wanted string, pause time.Duration) {
	client := &http.Client{Timeout: 20 * time.Second}
	for ; ; time.Sleep(pause) {
		request, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Accept-Language", wanted)
		answer, err := client.Do(request)
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /greeting", greet)
	url := "http://" + listener.Addr().String() + "/greeting"
	go visit(url, "de-CH, de;q=0.9, en;q=0.5", time.Second)
	go visit(url, "fr-FR, fr;q=0.8", time.Second)
	// Two browsers with an add-on that writes what it likes into the header.
	for range 2 {
		go visit(url, "en-"+strings.Repeat("abcdefghi-", 20000), 200*time.Millisecond)
	}
	log.Fatal(http.Serve(listener, mux))
}
