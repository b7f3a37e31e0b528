module wild/godotenv-regexp-per-line

go 1.24

require (
	github.com/joho/godotenv v1.3.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
