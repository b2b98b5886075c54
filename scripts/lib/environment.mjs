/** The environment without the user's own settings of Corvid and of model servers: they must not decide a result. */
export function neutralEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:CORVID|OLLAMA|OPENAI)_/.test(name));
  return Object.fromEntries(kept);
}
