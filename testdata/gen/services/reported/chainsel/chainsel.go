// Package chainsel follows peers: it chooses the best chain and keeps the state of each peer.
package chainsel

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Selector struct {
	mu    sync.Mutex
	best  int
	peers *Peers
}

type Peers struct {
	mu       sync.Mutex
	tips     map[int]int
	selector *Selector
	ordered  bool
}

// Tip takes a peer's new tip.
func (s *Selector) Tip(peer, tip int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tip > s.best {
		s.best = tip
	}
	time.Sleep(100 * time.Microsecond)
	s.peers.record(peer, tip)
}

func (s *Selector) Best() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.best
}

func (p *Peers) record(peer, tip int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tips[peer] = tip
}

// Header takes a header that a peer delivers.
func (p *Peers) Header(peer int) bool {
	if p.ordered {
		best := p.selector.Best()
		p.mu.Lock()
		defer p.mu.Unlock()
		time.Sleep(300 * time.Microsecond)
		return p.tips[peer] >= best
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(100 * time.Microsecond)
	return p.tips[peer] >= p.selector.Best()
}

func Main(fixed bool) {
	kit.Start()
	p := &Peers{tips: map[int]int{}, ordered: fixed}
	s := &Selector{peers: p}
	p.selector = s
	for peer := range 6 {
		go func() {
			for tip := 0; ; tip++ {
				s.Tip(peer, tip)
			}
		}()
		go func() {
			for {
				p.Header(peer)
			}
		}()
	}
	kit.Wait()
}
