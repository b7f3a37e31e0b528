//go:build !fixed

package main

import (
	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/client"
)

// file marks each mail as it comes.
func file(c *client.Client, which *imap.SeqSet) error {
	mails := make(chan *imap.Message, 1)
	go fetch(c, which, mails)
	for m := range mails {
		if err := mark(c, m); err != nil {
			return err
		}
	}
	return nil
}
