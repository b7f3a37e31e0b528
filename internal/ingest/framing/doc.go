// Package framing takes the framing off the lines of a log: CRI, docker, journald, syslog, klog and others, JSON
// records with an escaped dump, and prefixes that it learns from the dump behind them. A Scanner decides it line by
// line, so that the framing may change midway, and keeps the writers of a log apart as Streams.
//
// A framing is a constant in kinds.go, a candidate for some first bytes and a case of unframeAs in unframe.go, and a
// function in the file of its family.
package framing
