// Command menus measures the depth of menus; an item that is moved below itself is its own child, and Depth
// never returns.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"example.com/textbook/first/menus/menu"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	themes := &themesCache{}
	go themes.refresh(ctx)
	mux.Handle("/themes", themes)
	pages := openPages(4)
	mux.HandleFunc("/pages", func(http.ResponseWriter, *http.Request) { pages.inbox <- 1 })
	mux.HandleFunc("/drafts", watchDrafts)
	for range 3 {
		go followDrafts(ctx, base+"/drafts")
	}

	debug.SetMaxStack(8 << 20)
	tree := menu.New()
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
			tree.Move(n%7, (n*3+1)%7)
			log.Print("depth ", tree.Deepest())
			time.Sleep(200 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
