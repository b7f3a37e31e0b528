// Command profilepage greets users; the user that is not found is nil, and its name is read.
package main

import (
	"fmt"
	"time"
)

type address struct{ city string }

type user struct {
	name string
	home *address
}

var users = map[int]*user{1: {"Ann", &address{"Oslo"}}, 2: {"Bob", nil}}

func find(id int) *user { return users[id] }

func (u *user) greeting() string {
	return "Hello " + u.name + " in " + u.home.city
}

func main() {
	for id := 1; ; id++ {
		fmt.Println(find(id).greeting())
		time.Sleep(500 * time.Millisecond)
	}
}
