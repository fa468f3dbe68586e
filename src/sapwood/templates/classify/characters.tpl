# Short or misspelt texts, names, languages: words and runs of two to four characters of <word>.
U:bias
A1:%X[0,0]
A2:%CHARS[0,0,2]
A3:%CHARS[0,0,3]
A4:%CHARS[0,0,4]
