// Package places asks a register where places are.
package places

import (
	"context"
	"io"
	"net/http"
	"time"
)

// A Client asks one register.
type Client struct {
	url  string
	http *http.Client
}

// New is a client of a register.
func New(url string) *Client { return &Client{url, newClient()} }

func newClient() *http.Client {
	return &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
}

// Locate returns what the register says about a city.
func (c *Client) Locate(ctx context.Context, city string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/"+city, nil)
	if err != nil {
		return err.Error()
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
