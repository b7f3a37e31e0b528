// Package authz decides who may do what.
package authz

import (
	"sync"
	"time"
)

// A Policy maps roles to verbs.
type Policy struct {
	mu    sync.RWMutex
	roles map[string][]string
	users map[string]string
}

// Start authorises requests while the policy is reloaded, with a crowd behind.
func Start() {
	p := &Policy{roles: map[string][]string{"viewer": {"get"}}, users: map[string]string{"ada": "viewer"}}
	go serve(p, "ada", "get")
	go reload(p)
	for i := 0; i < 30; i++ {
		go func() {
			time.Sleep(80 * time.Millisecond)
			serve(p, "bob", "list")
		}()
	}
}

func serve(p *Policy, user, verb string) bool { return p.Allowed(user, verb) }

// Allowed says whether a user may do something.
func (p *Policy) Allowed(user, verb string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	time.Sleep(50 * time.Millisecond)
	for _, v := range p.roles[p.roleOf(user)] {
		if v == verb {
			return true
		}
	}
	return false
}

// roleOf is the role of a user.
func (p *Policy) roleOf(user string) string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.users[user]
}

func reload(p *Policy) {
	time.Sleep(20 * time.Millisecond)
	p.Replace(map[string][]string{})
}

// Replace puts another set of roles in force.
func (p *Policy) Replace(roles map[string][]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.roles = roles
}
