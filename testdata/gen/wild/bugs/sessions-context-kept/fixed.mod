module wild/sessions-context-kept

go 1.24

require (
	github.com/gorilla/sessions v1.2.0
	wild/kit v0.0.0
)

require github.com/gorilla/securecookie v1.1.1 // indirect

replace wild/kit => ../../kit
