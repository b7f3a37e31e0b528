package redact

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// A Class is what a redacted value is. Its text is a pseudonym's first part.
type Class string

// The classes.
const (
	IP       Class = "ip"       // IPv4 and IPv6 addresses, those of networks too
	MAC      Class = "mac"      // hardware addresses
	Host     Class = "host"     // nodes, hosts and domains
	Mail     Class = "mail"     // e-mail addresses
	Token    Class = "token"    // what grants access by itself: JWTs, API keys, cookies, a URL's credentials
	Password Class = "password" // values of keys that are named like a password or another secret
	PEM      Class = "pem"      // private keys and certificates
	Word     Class = "word"     // what Options.Hide names
	// Secret counts values that were dropped because they are a Secret's: they have no pseudonym, all read Dropped.
	Secret Class = "secret"
)

// Dropped replaces the values of a Kubernetes Secret. It is made of base64's letters and of a length that base64
// allows, so that a redacted Secret can still be decoded as one.
const Dropped = "redacted"

func classes() []Class {
	return []Class{IP, MAC, Host, Mail, Token, Password, PEM, Word, Secret}
}

// Options are what to redact besides what the detectors know. The zero value is usable.
type Options struct {
	// Hide are words that are replaced wherever they are between characters that are no letters or digits: names of
	// customers, projects, hosts without a domain.
	Hide []string
	// Keep are hosts, domains (their subdomains too) and addresses that stay.
	Keep []string
	// Map, where set, receives a line `pseudonym<tab>value` for every new pseudonym: with it the copy can be read as
	// the original.
	Map io.Writer
}

// Counts is how many values were replaced, by class, and how many different ones there were.
type Counts map[Class]Count

// A Count is that of one class.
type Count struct {
	Replaced int64 // occurrences
	Distinct int   // pseudonyms given out
}

// String lists the counts in a fixed order: "12 ip (3 different), 1 secret".
func (c Counts) String() string {
	var parts []string
	for _, class := range classes() {
		if n, ok := c[class]; ok {
			parts = append(parts, n.text(class))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// pseudonym reports whether word is one of ours, so that redacting twice changes nothing.
func pseudonym(word []byte) bool {
	if string(word) == Dropped {
		return true
	}
	i := bytes.LastIndexByte(word, '-')
	if i < 2 || i == len(word)-1 || len(word)-i > maxNumber || !allDigits(word[i+1:]) {
		return false
	}
	return slices.Contains(classes(), Class(word[:i])) && Class(word[:i]) != Secret
}

// maxNumber is the length of a pseudonym's number with its hyphen: maxValues has seven digits.
const maxNumber = 8
