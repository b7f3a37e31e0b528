module wild/imap-store-in-fetch

go 1.26

require (
	github.com/emersion/go-imap v1.2.1
	wild/kit v0.0.0
)

require (
	github.com/emersion/go-message v0.15.0 // indirect
	github.com/emersion/go-sasl v0.0.0-20200509203442-7bfe0ed36a21 // indirect
	github.com/emersion/go-textwrapper v0.0.0-20200911093747-65d896831594 // indirect
	golang.org/x/text v0.3.7 // indirect
)

replace wild/kit => ../../kit
