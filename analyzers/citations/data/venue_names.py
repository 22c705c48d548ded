"""Venues under all their names: `id kind: alias; alias; ...`, in folded words.

Kinds: conf, journal, preprint (a server without review), series (proceedings of many venues, which says nothing about which).
An alias is found as a run of whole words, the longest first, so `european chapter of the association for computational
linguistics` never counts as `association for computational linguistics`.
"""

VENUES = """
neurips conf: neurips; nips; neural information processing systems; advances in neural information processing systems; neural inf process syst; adv neural inf process syst; adv neural inform process syst
icml conf: icml; international conference on machine learning; int conf mach learn; int conf on machine learning
iclr conf: iclr; international conference on learning representations; int conf learn represent; learning representations
aaai conf: aaai; aaai conference on artificial intelligence; national conference on artificial intelligence
iaai conf: iaai; innovative applications of artificial intelligence
eaai conf: eaai; educational advances in artificial intelligence
ijcai conf: ijcai; international joint conference on artificial intelligence; international joint conferences on artificial intelligence; international joint conference on artifical intelligence
uai conf: uai; uncertainty in artificial intelligence
aistats conf: aistats; artificial intelligence and statistics
colt conf: colt; conference on learning theory; computational learning theory; annual conference on learning theory
alt conf: international conference on algorithmic learning theory; algorithmic learning theory
acml conf: acml; asian conference on machine learning
ecml conf: ecml; pkdd; ecml pkdd; european conference on machine learning; machine learning and knowledge discovery in databases; principles and practice of knowledge discovery in databases
corl conf: corl; conference on robot learning
collas conf: collas; conference on lifelong learning agents
automl conf: conference on automated machine learning; automl conf
mlsys conf: mlsys; sysml; machine learning and systems; proceedings of machine learning and systems
log conf: learning on graphs conference; learning on graphs
clear conf: causal learning and reasoning
midl conf: midl; medical imaging with deep learning
chil conf: chil; conference on health inference and learning
mlhc conf: mlhc; machine learning for healthcare
colm conf: colm; conference on language modeling
satml conf: satml; secure and trustworthy machine learning
acl conf: acl; association for computational linguistics; association of computational linguistics; annual meeting of the association for computational linguistics; assoc comput linguistics
emnlp conf: emnlp; empirical methods in natural language processing
naacl conf: naacl; naacl hlt; hlt naacl; north american chapter of the association for computational linguistics; north american chapter of the acl; human language technologies
eacl conf: eacl; european chapter of the association for computational linguistics; european chapter of the acl
aacl conf: aacl; asia pacific chapter of the association for computational linguistics
findings conf: findings; findings of the association for computational linguistics; findings of acl; findings of emnlp
coling conf: coling; international conference on computational linguistics; conference on computational linguistics
ijcnlp conf: ijcnlp; international joint conference on natural language processing
conll conf: conll; computational natural language learning
lrec conf: lrec; language resources and evaluation; language resources and evaluation conference
inlg conf: inlg; natural language generation conference; international natural language generation conference; international conference on natural language generation
sigdial conf: sigdial; discourse and dialogue; special interest group on discourse and dialogue
semeval conf: semeval; semantic evaluation
wmt conf: wmt; conference on machine translation; workshop on statistical machine translation
starsem conf: starsem; lexical and computational semantics
ranlp conf: ranlp; recent advances in natural language processing
interspeech conf: interspeech; annual conference of the international speech communication association
icassp conf: icassp; acoustics speech and signal processing; acoustics speech and signal process
asru conf: asru; automatic speech recognition and understanding
slt conf: spoken language technology workshop
ismir conf: ismir; music information retrieval conference; music information retrieval
cvpr conf: cvpr; computer vision and pattern recognition; comput vis pattern recognit
iccv conf: iccv; international conference on computer vision; ieee cvf international conference on computer vision
eccv conf: eccv; european conference on computer vision; computer vision eccv
accv conf: accv; asian conference on computer vision
bmvc conf: bmvc; british machine vision conference
wacv conf: wacv; winter conference on applications of computer vision; applications of computer vision
threedv conf: 3dv; international conference on 3d vision
miccai conf: miccai; medical image computing and computer assisted intervention
isbi conf: isbi; international symposium on biomedical imaging
icip conf: icip; international conference on image processing
icpr conf: icpr; international conference on pattern recognition
icme conf: icme; international conference on multimedia and expo
mm conf: acm multimedia; international conference on multimedia; acm mm; acm international conference on multimedia
kdd conf: kdd; sigkdd; knowledge discovery and data mining; knowledge discovery data mining
icdm conf: icdm; international conference on data mining
sdm conf: siam international conference on data mining; siam data mining
wsdm conf: wsdm; web search and data mining
cikm conf: cikm; information and knowledge management
www conf: www; the web conference; web conference; world wide web; world wide web conference
sigir conf: sigir; research and development in information retrieval
ictir conf: ictir; theory of information retrieval
ecir conf: ecir; european conference on information retrieval; advances in information retrieval
recsys conf: recsys; recommender systems
icwsm conf: icwsm; web and social media; weblogs and social media
umap conf: umap; user modeling adaptation and personalization
hypertext conf: hypertext and social media
jcdl conf: jcdl; joint conference on digital libraries
bigdata conf: international conference on big data; ieee big data
asonam conf: asonam; advances in social networks analysis and mining
iswc conf: iswc; international semantic web conference
eswc conf: eswc; extended semantic web conference; european semantic web conference
sigmod conf: sigmod; management of data
vldb conf: vldb; very large data bases; very large databases; pvldb; vldb endowment
icde conf: icde; international conference on data engineering
pods conf: pods; principles of database systems
edbt conf: edbt; extending database technology
stoc conf: stoc; theory of computing; symposium on theory of computing
focs conf: focs; foundations of computer science
soda conf: soda; discrete algorithms
itcs conf: itcs; innovations in theoretical computer science
alenex conf: alenex; algorithm engineering and experiments
esa conf: european symposium on algorithms
socg conf: socg; computational geometry
icalp conf: icalp; automata languages and programming
ec conf: economics and computation; electronic commerce; acm ec
lics conf: lics; logic in computer science
popl conf: popl; principles of programming languages
pldi conf: pldi; programming language design and implementation
oopsla conf: oopsla; object oriented programming systems languages and applications; object oriented programming systems languages applications
asplos conf: asplos; architectural support for programming languages and operating systems
isca conf: isca; international symposium on computer architecture
micro conf: international symposium on microarchitecture
hpca conf: hpca; high performance computer architecture
osdi conf: osdi; operating systems design and implementation
sosp conf: sosp; operating systems principles
nsdi conf: nsdi; networked systems design and implementation
atc conf: usenix annual technical conference; usenix atc
eurosys conf: eurosys; european conference on computer systems
sigcomm conf: sigcomm
infocom conf: infocom; computer communications
sc conf: supercomputing; high performance computing networking storage and analysis
sp conf: symposium on security and privacy; ieee s p; ieee symposium on security and privacy
ccs conf: computer and communications security; acm ccs
usenixsec conf: usenix security; usenix security symposium
ndss conf: ndss; network and distributed system security
crypto conf: advances in cryptology crypto; annual international cryptology conference
pets conf: pets; popets; privacy enhancing technologies
icse conf: icse; international conference on software engineering
fse conf: fse; foundations of software engineering; esec
ase conf: automated software engineering
issta conf: issta; software testing and analysis
msr conf: mining software repositories
chi conf: chi; human factors in computing systems
uist conf: uist; user interface software and technology
cscw conf: cscw; computer supported cooperative work; computer supported cooperative work and social computing
iui conf: iui; intelligent user interfaces
facct conf: facct; fat; fairness accountability and transparency
aies conf: aies; ai ethics and society
siggraph conf: siggraph; computer graphics and interactive techniques
icra conf: icra; robotics and automation
iros conf: iros; intelligent robots and systems
rss conf: rss; robotics science and systems
hri conf: human robot interaction
iv conf: intelligent vehicles symposium
aamas conf: aamas; autonomous agents and multiagent systems; autonomous agents and multi agent systems
icaps conf: icaps; automated planning and scheduling
kr conf: principles of knowledge representation and reasoning
ecai conf: ecai; european conference on artificial intelligence
gecco conf: gecco; genetic and evolutionary computation
cec conf: congress on evolutionary computation
ijcnn conf: ijcnn; international joint conference on neural networks
icann conf: icann; artificial neural networks
isit conf: isit; international symposium on information theory
cdc conf: conference on decision and control
acc conf: american control conference
l4dc conf: l4dc; learning for dynamics and control
dac conf: design automation conference
date conf: design automation and test in europe
jmlr journal: jmlr; journal of machine learning research; j mach learn res
tmlr journal: tmlr; transactions on machine learning research; trans mach learn res
mlj journal: machine learning; mach learn
dmkd journal: data mining and knowledge discovery; data min knowl discov
jair journal: jair; journal of artificial intelligence research; j artif intell res
aij journal: artificial intelligence; artif intell
tacl journal: tacl; transactions of the association for computational linguistics; trans assoc comput linguistics; trans assoc comput linguist
cl journal: cl; computational linguistics; comput linguistics; comput linguist
tpami journal: tpami; pami; transactions on pattern analysis and machine intelligence; trans pattern anal mach intell
ijcv journal: ijcv; international journal of computer vision; int j comput vis
tip journal: transactions on image processing; trans image process
tnnls journal: tnnls; transactions on neural networks and learning systems; transactions on neural networks; trans neural networks learn syst; trans neural netw learn syst
tkde journal: tkde; transactions on knowledge and data engineering; trans knowl data eng
tois journal: transactions on information systems; trans inf syst
tit journal: transactions on information theory; trans inf theory
tsp journal: transactions on signal processing; trans signal process
taslp journal: transactions on audio speech and language processing; trans audio speech lang process
tmi journal: transactions on medical imaging; trans medical imaging; trans med imaging
mia journal: medical image analysis; medical image anal; med image anal
tog journal: transactions on graphics; trans graph
tro journal: transactions on robotics; trans robotics
ral journal: robotics and automation letters; robotics autom lett; robot autom lett
ijrr journal: international journal of robotics research; int j robotics res
neuralcomp journal: neural computation; neural comput
neunet journal: neural networks; neural netw
neurocomputing journal: neurocomputing
patrec journal: pattern recognition; pattern recognit
knosys journal: knowledge based systems; knowl based syst
eswa journal: expert systems with applications; expert syst appl
informfusion journal: information fusion; inf fusion
access journal: ieee access
procieee journal: proceedings of the ieee; proc ieee
cacm journal: communications of the acm; commun acm
csur journal: acm computing surveys; computing surveys; acm comput surv
jacm journal: journal of the acm; j acm
sicomp journal: siam journal on computing; siam j comput
siims journal: siam journal on imaging sciences; siam j imaging sci
simods journal: siam journal on mathematics of data science; siam j math data sci
annstat journal: annals of statistics; ann statist; ann stat
jasa journal: journal of the american statistical association; j amer statist assoc; j am stat assoc
jrssb journal: journal of the royal statistical society; j r stat soc
biometrika journal: biometrika
nature journal: nature
natcomm journal: nature communications; nat commun
natmi journal: nature machine intelligence; nat mach intell
natmeth journal: nature methods; nat methods
science journal: science
sciadv journal: science advances; sci adv
pnas journal: pnas; proceedings of the national academy of sciences; proc natl acad sci
cell journal: cell
plosone journal: plos one
bioinformatics journal: bioinformatics
nar journal: nucleic acids research; nucleic acids res
jcheminf journal: journal of cheminformatics
prl journal: physical review letters; phys rev lett
prx journal: physical review x; phys rev x
revmodphys journal: reviews of modern physics; rev mod phys
jcp journal: journal of computational physics; j comput phys
entropy journal: entropy
ftml journal: foundations and trends in machine learning; found trends mach learn
arxiv preprint: arxiv; corr; computing research repository; arxiv preprint; arxiv e prints; ar xiv
biorxiv preprint: biorxiv
medrxiv preprint: medrxiv
openreview preprint: openreview; openreview net
ssrn preprint: ssrn
eprint preprint: iacr cryptology eprint; cryptology eprint archive
preprint preprint: preprint; preprints; unpublished; under review; submitted
pmlr series: pmlr; proceedings of machine learning research; jmlr workshop and conference proceedings; jmlr w cp; proc mach learn res
lncs series: lncs; lecture notes in computer science; lecture notes in artificial intelligence; lnai
ceur series: ceur; ceur ws; ceur workshop proceedings
lipics series: lipics; leibniz international proceedings in informatics
isca series: isca archive
acmdl series: acm; association for computing machinery
ieeexplore series: ieee; institute of electrical and electronics engineers
springer series: springer; springer nature; springer verlag
elsevier series: elsevier
curran series: curran associates; curran associates inc
mitpress series: mit press
omnipress series: omnipress
aaaipress series: aaai press
"""

# Words that do not tell one venue from another.
GENERIC = frozenset(
    "proceedings proc of the on in and for to a an at annual international national european conference conf symposium "
    "symp workshop meeting joint journal j transactions trans letters advances acm ieee cvf usenix siam springer elsevier "
    "association society main track volume vol number no pages pp part series papers long short edition held virtual "
    "event online january february march april may june july august september october november december jan feb mar "
    "apr jun jul aug sep sept oct nov dec usa uk canada china germany france italy spain japan australia korea austria "
    "st nd rd th first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth twenty "
    "thirty forty fifty sixty int intl".split()
)
