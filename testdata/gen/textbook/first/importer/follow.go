package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// watchReceipts answers when there is something new, or after a while.
func watchReceipts(w http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(30 * time.Second):
		fmt.Fprintln(w, "nothing new")
	}
}

// followReceipts asks for news again and again.
func followReceipts(ctx context.Context, url string) {
	for ctx.Err() == nil {
		get(ctx, url)
		time.Sleep(time.Second)
	}
}

func get(ctx context.Context, url string) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
}
