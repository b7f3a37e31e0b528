// Command theine-delete-in-listener keeps the tokens of users in a cache; when one expires, the user's other tokens go
// too.
//
// Report: https://github.com/Yiling-J/theine-go/issues/37
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/Yiling-J/theine-go"
	"wild/kit"
)

const ttl = 2 * time.Second

// A token says what its user may do.
type token struct {
	user  string
	scope string
}

var tokens *theine.Cache[string, token]

// owner returns the user of a key, which is user/scope.
func owner(key string) string {
	user, _, _ := strings.Cut(key, "/")
	return user
}

// login gives a user two tokens. The second is a little younger.
func login(user string) {
	tokens.SetWithTTL(user+"/read", token{user: user, scope: "read"}, 1, ttl)
	tokens.SetWithTTL(user+"/write", token{user: user, scope: "write"}, 1, 4*ttl)
}

// arrive logs users in, four a second.
func arrive() {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		<-tick.C
		login(fmt.Sprintf("user%03d", n%200))
	}
}

// check looks tokens up as requests would.
func check() {
	valid := 0
	for n := 0; ; n++ {
		if _, ok := tokens.Get(fmt.Sprintf("user%03d/read", n%200)); ok {
			valid++
		}
		if n%2000 == 1999 {
			log.Printf("%d of %d requests had a token", valid, n+1)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	tokens, err = theine.NewBuilder[string, token](1000).RemovalListener(removed).Build()
	if err != nil {
		log.Fatal(err)
	}
	watch()
	go check()
	go arrive()
	<-ctx.Done()
}
