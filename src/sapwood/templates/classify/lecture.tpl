# The table of features of Schneider's lecture "Feature-based Classification with the Perceptron" (2017).
# Two cells differ: no capital is a feature, capitalized?=false, not a 0; and the last word is in a bigram with the end.
U:bias
U1:capitalized?=%capital[0,0]
N1:#wordsBefore %before
N2:#wordsAfter %after
N3:relativeOffset %offset
U2:leftWord=%x[-1,0]
U3:rightWord=%x[1,0]
A1:%x[0,0]
A2:%x[0,0] %x[1,0]
