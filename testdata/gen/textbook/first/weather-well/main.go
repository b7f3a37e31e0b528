// Command weather asks for the weather every 100 ms and closes each body.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"example.com/textbook/kit"
)

func forecast(url, city string) error {
	answer, err := http.Get(url + "/" + city)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", city, answer.Status)
	}
	var degrees int
	_, err = fmt.Fscan(answer.Body, &degrees)
	return err
}

func main() {
	kit.Start()
	station := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, len(r.URL.Path), strings.Repeat("cloud ", 2000))
	}))
	for {
		if err := forecast(station.URL, "Oslo"); err != nil {
			fmt.Println(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
