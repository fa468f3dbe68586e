"""The grammar of the generated language, as a table.

The grammar is a probabilistic tree-substitution grammar: a rule rewrites a symbol into a small tree, so that the table
reads like the brackets it produces. The dots of a symbol carry what has to agree: ``VP.s`` is a verb phrase whose verb
is singular, ``verb.vbn.give`` a participle of a verb of giving. Split symbols express lexical dependencies in a
context-free grammar. Every class of verbs has its own frames, and every class of nouns its own prepositions. Verbs and
prepositions also prefer some classes of objects. So words are more informative than tags, and the number of a subject
must be remembered over everything between it and its verb.

Notation. A line without indentation begins with a symbol; its alternatives, between bars, follow on that line or
indented below it. Each is a weight and a body. In a body

============== ==========================================================================
``*x``         the head, to which every other item is attached; a single item needs no star
``x/nsubj``    by that relation
``(NP ...)``   a node of the tree; a symbol in lower case makes no node, one in capitals does
``(& ...)``    a conjunct: a head and what belongs to it, without a node of its own
``of:IN``      the word *of* tagged ``IN``
``NN.person``  a word of a closed or open class of ``sapwood.datasets.lexicon``
``+x``         a word that goes on with the chunk on its left, which another rule began
``{n}``        each value of a feature: bound by the name of the symbol, else an alternative each
============== ==========================================================================

Chunks are as in CoNLL-2000 and follow from the tree: the base noun phrase up to its head (a
possessive *'s* begins another), the group of verbs and what stands inside it, the bare preposition,
subordinator, particle. ``derivation`` compiles the table.
"""

FEATURES = {
    "n": {"s": 62, "p": 38},
    "f": {"s": 1, "p": 1, "vb": 1, "vbn": 1, "vbg": 1, "ger": 1, "imp": 1},
    "c": {"person": 26, "thing": 27, "idea": 20, "event": 15, "place": 12},
    "v": {"act": 1, "make": 1, "give": 1, "say": 1, "want": 1, "go": 1, "turn": 1, "seem": 1},
}

# The prepositions that follow a noun or a verb of a class, and the classes of objects, each with its weight.
PREPOSITIONS = {
    "person": "of 20 from 30 with 20 in 15 at 15", "thing": "of 40 with 26 for 20 in 10 on 4",
    "idea": "of 60 about 14 for 14 on 8 as 4", "event": "of 30 in 24 between 12 by 10 at 12 against 10",
    "place": "of 20 in 40 near 20 between 5 with 5", "act": "with 40 for 22 in 14 on 10 by 6 as 8",
    "make": "from 34 for 24 into 18 as 14 with 10", "give": "to 80 for 14 on 6",
    "go": "to 34 from 16 into 14 at 8 in 8 through 8 on 6 over 6 like 4",
    "turn": "to 24 into 30 on 22 for 14 with 10",
    "time": "in 26 at 12 on 12 after 16 before 13 during 4 for 4 since 10 until 8 as 4", "agent": "by 100",
}  # fmt: skip
OBJECTS = {
    "of": "thing 30 idea 26 person 22 place 12 event 10", "in": "place 50 event 20 idea 20 thing 10",
    "at": "place 55 event 45", "on": "thing 46 idea 30 event 24", "by": "person 80 thing 10 idea 10",
    "with": "thing 46 person 40 idea 14", "for": "person 40 thing 30 event 18 idea 12",
    "from": "place 46 person 30 thing 24", "to": "person 46 place 40 event 14", "into": "place 50 thing 30 idea 20",
    "about": "idea 50 person 30 event 20", "between": "person 50 place 50", "against": "person 70 idea 30",
    "near": "place 80 person 20", "through": "place 60 event 40", "over": "place 50 idea 50",
    "like": "person 60 thing 40", "as": "thing 40 person 40 idea 20", "during": "event 100",
    "after": "event 80 thing 20", "before": "event 80 person 20", "since": "event 100", "until": "event 100",
    "when": "event 70 place 8 thing 14 idea 8", "act": "thing 50 person 30 idea 10 event 10",
    "make": "thing 40 idea 40 event 20", "give": "thing 70 idea 30", "say": "idea 70 event 30",
    "want": "person 40 thing 40 event 20", "turn": "thing 70 idea 30",
}  # fmt: skip

TABLE = """
text
    34 (S subject.{n}/nsubj *VP.{n} ./punct) | 10 (S PP.time/obl ,/punct subject.{n}/nsubj *VP.{n} ./punct)
     4 (S moment/obl:tmod ,/punct subject.{n}/nsubj *VP.{n} ./punct)
     5 (S moment/obl:tmod subject.{n}/nsubj *VP.{n} ./punct) | 5 (S PP.time/obl subject.{n}/nsubj *VP.{n} ./punct)
     9 (S SBAR.clause/advcl ,/punct subject.{n}/nsubj *VP.{n} ./punct)
     5 (S (ADVP *RB.link)/advmod ,/punct subject.{n}/nsubj *VP.{n} ./punct)
     3 (S (S *VP.ger)/advcl ,/punct subject.{n}/nsubj *VP.{n} ./punct)
    14 (S *S.plain (& ,/punct CC.clause/cc *S.plain)/conj ./punct)
     3 (S ``:``/punct S.plain/ccomp ,/punct '':''/punct subject.{n}/nsubj *(VP *verb.{n}.say) ./punct)
     3 (S *S.plain :/punct S.plain/parataxis ./punct)
     2 (S (NP *there:EX)/expl *(VP *be.{n} np.{n}.{c}/nsubj PP.time/obl) ./punct) | 2 (S *VP.imp .shout/punct)
     2 (SQ do.{n}/aux subject.{n}/nsubj *VP.imp .ask/punct)
     1 (SBARQ (WHADVP *WRB)/advmod *(SQ do.{n}/aux subject.{n}/nsubj *VP.imp) .ask/punct)
     2 (FRAG *np.{n}.{c} .shout/punct) | 1 (FRAG *np.{n}.{c} PP.time/nmod) | 1 (INTJ *UH .shout/punct)
     1 (S (INTJ *UH)/discourse ,/punct subject.{n}/nsubj *VP.{n} ./punct)
S.plain     1 subject.{n}/nsubj *VP.{n}
SBAR.clause  80 IN.clause/mark *S.plain | 20 (WHADVP *WRB)/advmod *S.plain
SBAR.purpose  1 for:IN/mark *(S object.for/nsubj *(VP to:TO/mark *VP.vb))
SBAR.that   60 that:IN/mark *S.plain | 40 *S.plain
SBAR.relative.{n}
    55 (WHNP *WDT)/nsubj *(S *VP.{n}) | 15 (WHNP *WP)/nsubj *(S *VP.{n})
    20 (WHNP *WDT)/obj *(S subject.{n}/nsubj *VP.gap.{n}) | 10 *(S subject.{n}/nsubj *VP.gap.{n})
SBAR.aside.{n}  7 (WHNP *WDT.aside)/nsubj *(S *VP.{n}) | 3 (WHNP *WP)/nsubj *(S *VP.{n})
VP.gap.{n}
    60 *verb.{n}.act | 20 *verb.{n}.make | 10 *verb.{n}.give PP.give/obl | 10 MD/aux *(VP *+VB.act)
subject.s
    24 (NP *PRP.s) | 2 (NP *DT.alone) | 46 np.s.person | 12 np.s.thing | 8 np.s.idea | 6 np.s.event | 6 np.s.place
     3 (NP *base.s.{c} ,/punct SBAR.aside.s/acl:relcl ,/punct) | 2 (NP *base.s.{c} ,/punct base.s.{c}/appos ,/punct)
subject.p
    24 (NP *PRP.p) | 1 (NP *DT.alone) | 44 np.p.person | 16 np.p.thing | 8 np.p.idea | 6 np.p.event | 4 np.p.place
     3 (NP *base.p.{c} ,/punct SBAR.aside.p/acl:relcl ,/punct)
np.{n}.{c}
    64 base.{n}.{c} | 22 (NP *base.{n}.{c} PP.{c}/nmod) | 2 (NP *base.{n}.{c} PP.{c}/nmod PP.{c}/nmod)
   3.2 (NP *base.{n}.{c} SBAR.relative.{n}/acl:relcl) | 1 (NP *base.{n}.{c} ,/punct SBAR.aside.{n}/acl:relcl)
   1.5 (NP *base.{n}.{c} (VP *VBN.act PP.act/obl)/acl) | 1 (NP *base.{n}.{c} VP.ger/acl)
     1 (NP *base.{n}.{c} ,/punct base.s.{c}/appos)
   0.5 (NP *base.{n}.{c} (PRN -LRB-/punct *base.s.{c} -RRB-/punct)/appos)
   0.5 (NP *base.{n}.{c} (ADVP *RB.time)/advmod)
np.p.{c}
     8 (NP *base.{n}.{c} (& CC/cc *partner.{c})/conj)
     2 (NP *base.{n}.{c} (& ,/punct *partner.{c})/conj (& CC/cc *partner.{c})/conj)
     3 (NP *plural.{c} (& CC/cc *partner.{c})/conj)
plural.{c}  1 (NP *NNS.{c})
partner.{c}
    40 np.p.{c} | 60 (NP *NNS.thing) | 30 (NP *NNS.idea) | 15 (NP JJ.quality/amod *NNS.event)
base.s.{c}
    30 (NP DT.s/det *NN.{c}) | 13 (NP DT.s/det JJ.quality/amod *NN.{c}) | 9 (NP *NN.{c})
     7 (NP JJ.quality/amod *NN.{c}) | 7 (NP DT.s/det NN.{c}/compound *NN.{c}) | 3 (NP NN.{c}/compound *NN.{c})
     2 (NP DT.s/det JJ.quality/amod NN.{c}/compound *NN.{c})
     2 (NP DT.s/det JJ.quality/amod JJ.quality/amod *NN.{c}) | 2 (NP DT.s/det JJ.compound/amod *NN.{c})
     2 (NP DT.s/det (ADJP RB.degree/advmod *JJ.quality)/amod *NN.{c}) | 2 (NP DT.s/det JJ.order/amod *NN.{c})
     3 (NP RB.focus/advmod DT.s/det *NN.{c})
     2 (NP DT.s/det (ADJP *JJ.quality (& CC/cc *JJ.quality)/conj)/amod *NN.{c})
     2 (NP DT.s/det VBN.{v}/amod *NN.{c}) | 2 (NP DT.s/det VBG.{v}/amod *NN.{c})
     1 (NP DT.s/det JJS.quality/amod *NN.{c}) | 1 (NP DT.s/det JJR.quality/amod *NN.{c})
     1 (NP DT.s/det NNS.{c}/compound *NN.{c}) | 1 (NP DT.s/det NNP.firm/compound *NN.{c})
     1 (NP CD.one/nummod *NN.{c}) | 6 (NP PRP$/nmod:poss *NN.{c}) | 2 (NP PRP$/nmod:poss JJ.quality/amod *NN.{c})
     5 (NP owner/nmod:poss *+NN.{c}) | 2 (NP owner/nmod:poss +JJ.quality/amod *+NN.{c})
     1 (NP DT.s/det *NN.{c} CD.digits/nummod)
base.p.{c}
    24 (NP *NNS.{c}) | 20 (NP DT.p/det *NNS.{c}) | 14 (NP JJ.quality/amod *NNS.{c})
     9 (NP DT.p/det JJ.quality/amod *NNS.{c}) | 8 (NP NN.{c}/compound *NNS.{c})
     5 (NP DT.p/det NN.{c}/compound *NNS.{c}) | 6 (NP CD.small/nummod *NNS.{c}) | 4 (NP CD.digits/nummod *NNS.{c})
     2 (NP (QP RB.quantity/advmod *CD.digits)/nummod *NNS.{c}) | 2 (NP DT.p/det CD.small/nummod *NNS.{c})
     4 (NP JJ.amount/amod *NNS.{c}) | 4 (NP VBN.{v}/amod *NNS.{c}) | 5 (NP VBG.{v}/amod *NNS.{c})
     2 (NP RB.focus/advmod *NNS.{c}) | 2 (NP RB.focus/advmod DT.p/det *NNS.{c}) | 2 (NP JJR.quality/amod *NNS.{c})
     5 (NP PRP$/nmod:poss *NNS.{c}) | 3 (NP owner/nmod:poss *+NNS.{c}) | 7 (NP *NNS.{c} (& CC/cc *NNS.{c})/conj)
     2 (NP JJ.quality/amod *NNS.{c} (& CC/cc *NNS.{c})/conj)
base.s.person
    17 (NP *NNP.last) | 12 (NP *NNP.first NNP.last/flat) | 7 (NP NNP.title/compound *NNP.last)
     2 (NP DT.s/det NN.person/compound *NNP.first NNP.last/flat) | 8 (NP *NNP.firm NNP.company/flat)
     5 (NP *NNP.firm)
base.s.place  24 (NP *NNP.town) | 5 (NP *NNP.first NNP.town/flat)
base.s.event
    12 (NP *NNP.day) | 5 (NP *NNP.day CD.digits/nummod) | 5 (NP *CD.digits) | 5 (NP JJ.order/amod *NN.event)
base.p.person  3 (NP DT.p/det *NNPS.last)
moment
    22 (NP *NNP.day) | 24 (NP JJ.order/amod *NN.event) | 20 (NP DT.s/det *NN.event) | 12 (NP *NN.event)
    16 (NP *NNS.event) | 6 (NP CD.small/nummod *NNS.event)
owner
    40 (NP DT.s/det *NN.person 's:POS/case) | 12 (NP *NNS.person ':POS/case) | 24 (NP *NNP.last 's:POS/case)
    10 (NP *NNP.town 's:POS/case) | 14 (NP *NNP.first NNP.last/flat 's:POS/case)
VP.{f}
    46 *frame.{f} | 16 *frame.{f} PP.time/obl | 10 *frame.{f} moment/obl:tmod
     3 *frame.{f} moment/obl:tmod PP.time/obl | 5 *frame.{f} (ADVP *RB.manner)/advmod
     4 *frame.{f} (ADVP *RB.time)/advmod | 7 *frame.{f} SBAR.clause/advcl | 2 *frame.{f} SBAR.purpose/advcl
     1 *frame.{f} ,/punct (S *VP.ger)/advcl
VP.{n}
     9 MD/aux *VP.vb | 3 MD/aux RB.middle/advmod *VP.vb | 5 have.{n}/aux *VP.vbn
     2 have.{n}/aux +RB.middle/advmod *VP.vbn | 4 be.{n}/aux *VP.vbg | 6 be.{n}/aux:pass *passive
     2 be.{n}/aux:pass +RB.manner/advmod *passive | 11 be.{n}/cop *predicate
     4 be.{n}/cop +RB.middle/advmod *predicate | 4 *have.{n} object.act/obj | 2 do.{n}/aux +not:RB/advmod *VP.vb
     1 do.{n}/aux +n't:RB/advmod *VP.vb | 3 (ADVP *RB.middle)/advmod *frame.{n}
     2 (ADVP *RB.manner)/advmod *frame.{n} | 2.5 *VP.{n} (& CC/cc *VP.{n})/conj
VP.vb
     8 +be:VB/aux:pass *passive | 6 +be:VB/cop *predicate | 3 +have:VB/aux *VP.vbn | 2 +be:VB/aux *VP.vbg
VP.vbn      10 +been:VBN/aux:pass *passive | 6 +been:VBN/cop *predicate | 5 +been:VBN/aux *VP.vbg
VP.vbg      6 +being:VBG/aux:pass *passive
passive
    24 (VP *+VBN.act) | 16 (VP *+VBN.act PP.agent/obl) | 14 (VP *+VBN.act PP.act/obl)
    14 (VP *+VBN.make PP.make/obl) | 8 (VP *+VBN.give PP.give/obl) | 5 (VP *+VBN.say SBAR.that/ccomp)
     6 (VP *+VBN.want (S *(VP +to:TO/mark *VP.vb))/xcomp) | 5 (VP *+VBN.turn (PRT *RP)/compound:prt)
predicate
    40 (ADJP *JJ.quality) | 14 (ADJP RB.degree/advmod *JJ.quality) | 4 (ADJP RB.manner/advmod *JJ.quality)
     4 (ADJP *JJR.quality) | 5 (ADJP *JJ.quality PP.act/obl)
     3 (ADJP *JJ.quality (S *(VP to:TO/mark *VP.vb))/xcomp) | 3 (ADJP *JJ.quality (& CC/cc *JJ.quality)/conj)
    24 np.s.{c} | 8 np.p.{c} | 14 PP.place | 3 (ADVP *RB.time)
frame.{f}
    22 *verb.{f}.act object.act/obj | 8 *verb.{f}.act object.act/obj PP.act/obl
     4 *verb.{f}.act (ADVP *RB.focus)/advmod object.act/obj | 2 *verb.{f}.act | 9 *verb.{f}.make object.make/obj
     6 *verb.{f}.make object.make/obj PP.make/obl | 7 *verb.{f}.give object.to/iobj object.give/obj
     6 *verb.{f}.give object.give/obj PP.give/obl | 12 *verb.{f}.say SBAR.that/ccomp
     2 *verb.{f}.say object.say/obj | 8 *verb.{f}.want (S *(VP +to:TO/mark *VP.vb))/xcomp
     3 *verb.{f}.want object.want/obj (S *(VP to:TO/mark *VP.vb))/xcomp
     6 *verb.{f}.want (S *(VP *+VBG.act object.act/obj))/xcomp | 5 *verb.{f}.want object.want/obj
    14 *verb.{f}.go PP.go/obl | 6 *verb.{f}.go | 2 *verb.{f}.go (ADVP *RB.time)/advmod
     2 *verb.{f}.go (ADVP *RB.manner)/advmod | 4 *verb.{f}.turn (PRT *RP)/compound:prt object.turn/obj
     2 *verb.{f}.turn object.turn/obj (PRT *RP)/compound:prt
     3 *verb.{f}.turn (PRT *RB.away)/compound:prt object.turn/obj
     3 *verb.{f}.turn (PRT *RB.away)/compound:prt PP.turn/obl | 3 *verb.{f}.go (ADVP *RB.away)/advmod PP.go/obl
     2 *verb.{f}.go (ADVP *RB.away)/advmod | 2 *verb.{f}.turn (PRT *RP)/compound:prt PP.turn/obl
     4 *verb.{f}.seem (ADJP *JJ.quality)/xcomp | 1 *verb.{f}.seem (ADJP RB.degree/advmod *JJR.quality)/xcomp
     1 *verb.{f}.seem np.s.{c}/xcomp
verb.s.{v}  42 VBZ.{v} | 58 VBD.{v}
verb.p.{v}  42 VBP.{v} | 58 VBD.{v}
verb.vb.{v}  1 +VB.{v}
verb.vbn.{v}  1 +VBN.{v}
verb.vbg.{v}  1 +VBG.{v}
verb.ger.{v}  1 VBG.{v}
verb.imp.{v}  1 VB.{v}
be.s        50 is:VBZ | 42 was:VBD | 8 's:VBZ
be.p        54 are:VBP | 46 were:VBD
have.s      58 has:VBZ | 42 had:VBD
have.p      60 have:VBP | 40 had:VBD
do.s        5 does:VBZ | 5 did:VBD
do.p        5 do:VBP | 5 did:VBD
"""
