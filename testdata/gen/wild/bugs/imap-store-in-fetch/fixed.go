//go:build fixed

package main

import (
	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/client"
)

// file marks the mails when all have come.
func file(c *client.Client, which *imap.SeqSet) error {
	mails := make(chan *imap.Message, 1)
	go fetch(c, which, mails)
	var all []*imap.Message
	for m := range mails {
		all = append(all, m)
	}
	for _, m := range all {
		if err := mark(c, m); err != nil {
			return err
		}
	}
	return nil
}
