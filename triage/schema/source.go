package schema

// MaxMissing is how many missing files a Source lists: the bound of the contract's other lists.
const MaxMissing = 100

// A Source is what of the code in question was found under the folders of --source.
type Source struct {
	Dirs []string `json:"dirs"` // as the user named them
	// Files counts the distinct files that were looked for, Found those of them that were found.
	Files int `json:"files"`
	Found int `json:"found"`
	// Fits, Differs and Unknown count the places in the files found, by whether they match the build.
	Fits    int `json:"fits"`
	Differs int `json:"differs"`
	Unknown int `json:"unknown"`
	// Missing are the first MaxMissing files that were not found or are not shown, in order of what asks for them.
	Missing []MissingFile `json:"missing"`
}

// A MissingFile is a file whose code is not shown, and why.
type MissingFile struct {
	File   string `json:"file"` // as the input prints it
	Reason string `json:"reason"`
}
