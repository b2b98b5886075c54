/**
 * English function words: they carry no evidence of what a text is about. Left out of queries (unless nothing else
 * is there), kept in the index, where phrases and names made of them need them.
 */
const ENGLISH = `
a about above after again against all also am an and any are aren't as at
be because been before being below between both but by
can can't cannot could couldn't
did didn't do does doesn't doing don't down during
each either else ever
few for from further
had hadn't has hasn't have haven't having he he'd he'll he's her here hers herself him himself his how
i i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself
just
let's
may me might more most much must my myself
neither no nor not now
of off on once only onto or other our ours ourselves out over own
per please
same shall she she'd she'll she's should shouldn't so some such
than that that's the their theirs them themselves then there there's these they they'd they'll they're they've this those
through to too
under until up upon us
very via
was wasn't we we'd we'll we're we've were weren't what what's when where which while who whom whose why will with within
without won't would wouldn't
yes yet you you'd you'll you're you've your yours yourself yourselves
`;

/** The stop words of a language, each in normal form with its apostrophe and without. */
export function stopWords(): ReadonlySet<string> {
  const words = ENGLISH.trim().split(/\s+/);
  return new Set(words.flatMap((word) => [word, word.replace("'", '')]));
}
