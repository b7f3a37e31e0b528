// Command imap-store-in-fetch files the mails of a mailbox.
//
// https://github.com/emersion/go-imap/issues/228
package main

import (
	"fmt"
	"log"
	"net"
	"strings"
	"time"

	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/backend/memory"
	"github.com/emersion/go-imap/client"
	"github.com/emersion/go-imap/server"

	"wild/kit"
)

const mail = "From: shop@example.org\r\nTo: desk@example.org\r\nSubject: order %d\r\n\r\nThe goods, please.\r\n"

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	post := server.New(memory.New())
	post.AllowInsecureAuth = true
	go post.Serve(listener)
	for {
		if err := visit(listener.Addr().String()); err != nil {
			log.Fatal(err)
		}
		time.Sleep(5 * time.Second)
	}
}

// visit logs in, finds twenty new mails and files them.
func visit(address string) error {
	c, err := client.Dial(address)
	if err != nil {
		return err
	}
	defer c.Logout()
	if err := c.Login("username", "password"); err != nil {
		return err
	}
	for n := range 20 {
		if err := c.Append("INBOX", nil, time.Now(), strings.NewReader(fmt.Sprintf(mail, n))); err != nil {
			return err
		}
	}
	box, err := c.Select("INBOX", false)
	if err != nil {
		return err
	}
	all := new(imap.SeqSet)
	all.AddRange(1, box.Messages)
	return file(c, all)
}

// fetch asks for mails and sends them to a channel.
func fetch(c *client.Client, which *imap.SeqSet, mails chan *imap.Message) {
	if err := c.Fetch(which, []imap.FetchItem{imap.FetchEnvelope, imap.FetchFlags}, mails); err != nil {
		log.Print(err)
	}
}

// mark marks a mail as seen.
func mark(c *client.Client, m *imap.Message) error {
	one := new(imap.SeqSet)
	one.AddNum(m.SeqNum)
	return c.Store(one, imap.FormatFlagsOp(imap.AddFlags, true), []any{imap.SeenFlag}, nil)
}
