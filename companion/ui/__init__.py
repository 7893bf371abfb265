"""The touchscreen: shows what the core says, hands back what people touch. No rule is in here, no single game."""
