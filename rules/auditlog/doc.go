// Package auditlog holds the rules about the API servers' audit logs (TR76x, TR77x): loops of writes, fights between
// controllers, races and storms of requests. They read Pass.Audit.
package auditlog
