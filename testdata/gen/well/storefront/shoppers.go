package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"example.com/well/sibling"
)

// browse starts the shoppers of one address: they look, order and search, with a moment between two clicks.
func browse(c *http.Client, url string) {
	for i := 0; i < 12; i++ {
		go click(c, http.MethodGet, url+"/price?article=article+7", "", 15*time.Millisecond)
	}
	for i := 0; i < 4; i++ {
		go click(c, http.MethodPost, url+"/order", `{"article 9":1}`, 40*time.Millisecond)
	}
	for i := 0; i < 8; i++ {
		go click(c, http.MethodGet, url+"/search", "", 100*time.Millisecond)
	}
	for i := 0; i < 10; i++ {
		go click(c, http.MethodGet, url+"/changes", "", 0)
	}
}

func click(c *http.Client, method, url, body string, pause time.Duration) {
	for {
		req, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			return
		}
		resp, err := c.Do(req)
		if err != nil {
			return
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		time.Sleep(pause)
	}
}

// follow opens n browsers for each of the two streams of events.
func follow(c *http.Client, url string, n int) {
	for i := 0; i < n; i++ {
		go watch(c, url+"/events")
		go watch(c, url+"/ticker")
	}
}

func watch(c *http.Client, url string) {
	resp, err := c.Get(url)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
	}
}

// followPlainly does the same for browsers that have a connection each, and no more than one goroutine.
func followPlainly(addr string, n int) error {
	for i := 0; i < n; i++ {
		for _, path := range []string{"/events", "/ticker"} {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				return fmt.Errorf("opening browser %d: %w", i, err)
			}
			if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, addr); err != nil {
				return fmt.Errorf("asking as browser %d: %w", i, err)
			}
			go io.Copy(io.Discard, conn)
		}
	}
	sibling.Work()
	return nil
}
