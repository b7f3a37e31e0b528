module example.org/markup

go 1.26
