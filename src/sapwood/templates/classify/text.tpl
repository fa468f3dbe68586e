# Texts: which words and pairs of neighbours occur, in lower case.
U:bias
A1:%X[0,0]
A2:%X[0,0]/%X[1,0]
