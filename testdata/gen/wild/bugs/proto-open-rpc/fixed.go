//go:build fixed

package main

// mail is a whole file.
const mail = `syntax = "proto3";
package mail;
service Letters {
  rpc Send (Letter) returns (Stamp);
  rpc Track (Stamp) returns (Letter) {
  }
}
`
