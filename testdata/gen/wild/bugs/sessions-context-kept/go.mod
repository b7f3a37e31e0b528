module wild/sessions-context-kept

go 1.24

require (
	github.com/gorilla/sessions v1.1.3
	wild/kit v0.0.0
)

require (
	github.com/gorilla/context v1.1.1 // indirect
	github.com/gorilla/securecookie v1.1.1 // indirect
)

replace wild/kit => ../../kit
