// Command profilepage greets users; the user that is not found is asked for.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type address struct{ city string }

type user struct {
	name string
	home *address
}

var users = map[int]*user{1: {"Ann", &address{"Oslo"}}, 2: {"Bob", nil}}

func find(id int) *user { return users[id] }

func (u *user) greeting() string {
	if u == nil || u.home == nil {
		return "Who are you?"
	}
	return "Hello " + u.name + " in " + u.home.city
}

func main() {
	kit.Start()
	for id := 1; ; id++ {
		fmt.Println(find(id).greeting())
		time.Sleep(500 * time.Millisecond)
	}
}
