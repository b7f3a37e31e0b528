// Package pager tells people about incidents.
package pager

import (
	"time"
)

// A Pager delivers alarms one after the other.
type Pager struct {
	alarms    chan string
	delivered int
}

// New is a pager.
func New() *Pager { return &Pager{alarms: make(chan string)} }

// Raise notifies people of an alarm in the background.
func (p *Pager) Raise(text string) { go p.Notify(text) }

// Notify hands an alarm over.
func (p *Pager) Notify(text string) { p.alarms <- text }

// Deliver sends what is handed over.
func (p *Pager) Deliver() {
	for range p.alarms {
		time.Sleep(30 * time.Millisecond)
		p.delivered++
	}
}
