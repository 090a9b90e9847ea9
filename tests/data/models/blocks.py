# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of today's kinds for export.py, as small as their structure allows."""

import torch
from torch import nn
from torch.nn import functional


def split_heads(x, heads):
    batch, length, width = x.shape
    return x.view(batch, length, heads, width // heads).transpose(1, 2)


def join_heads(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


class RmsNorm(nn.Module):
    """In f32, whatever it gets."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class Llama(nn.Module):
    """A block of Llama: RMS norms, attention with rotated positions, an MLP with silu and a gate, no biases; groups of
    heads may share keys and values. As a whole: torch's own norms and attention."""

    def __init__(self, width=32, heads=2, hidden=64, length=8, groups=None, whole=False):
        super().__init__()
        self.heads, self.groups, self.whole, size = heads, groups or heads, whole, width // heads
        self.norm1, self.norm2 = ((nn.RMSNorm if whole else RmsNorm)(width) for _ in range(2))
        self.q, self.k, self.v, self.o = (
            nn.Linear(width, outputs, bias=False) for outputs in (width, size * self.groups, size * self.groups, width))
        self.gate, self.up = (nn.Linear(width, hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(hidden, width, bias=False)
        angles = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, size, 2) / size))
        angles = torch.cat([angles, angles], dim=-1)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def rotate(self, x):
        left, right = x.chunk(2, dim=-1)
        return x * self.cos + torch.cat([-right, left], dim=-1) * self.sin

    def for_heads(self, x):
        return x if self.groups == self.heads else x.repeat_interleave(self.heads // self.groups, dim=1)

    def attend(self, x):
        layers = ((self.q, self.heads), (self.k, self.groups), (self.v, self.groups))
        q, k, v = (split_heads(layer(x), heads) for layer, heads in layers)
        if self.whole:
            weighted = functional.scaled_dot_product_attention(self.rotate(q), self.rotate(k), v, is_causal=True)
            return self.o(join_heads(weighted))
        scores = self.rotate(q) @ self.for_heads(self.rotate(k)).transpose(-2, -1) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(~causal_mask(x.shape[1]), float("-inf"))
        return self.o(join_heads(torch.softmax(scores, dim=-1) @ self.for_heads(v)))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        y = self.norm2(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class GroupedLlama(nn.Module):
    """The attention and residual of a Llama whose heads of keys and values serve two of queries each; the tables of the
    rotation are made in each call."""

    def __init__(self, width=32, heads=4, pairs=2):
        super().__init__()
        self.heads, self.pairs, size = heads, pairs, width // heads
        self.norm = RmsNorm(width)
        self.q, self.o = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.k, self.v = (nn.Linear(width, pairs * size, bias=False) for _ in range(2))

    def rotate(self, x):
        length, size = x.shape[-2:]
        frequencies = 1.0 / 10000.0 ** (torch.arange(0, size, 2).float() / size)
        angles = torch.outer(torch.arange(length).float(), frequencies)
        cos, sin = (torch.cat([t, t], dim=-1).to(x.dtype) for t in (angles.cos(), angles.sin()))
        left, right = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-right, left], dim=-1) * sin

    def forward(self, x):
        y = self.norm(x)
        q = self.rotate(split_heads(self.q(y), self.heads))
        k, v = self.rotate(split_heads(self.k(y), self.pairs)), split_heads(self.v(y), self.pairs)
        k, v = (t.repeat_interleave(self.heads // self.pairs, dim=1) for t in (k, v))
        scores = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).masked_fill(~causal_mask(x.shape[1]), float("-inf"))
        return x + self.o(join_heads(torch.softmax(scores, dim=-1) @ v))


class Encoder(nn.Module):
    """A layer of BERT (norms behind the residuals) or of ViT (before them); gelu by erf; attention in parts or by
    torch's function for the whole."""

    def __init__(self, width=32, heads=2, norm_first=False, whole=False):
        super().__init__()
        self.heads, self.norm_first, self.whole = heads, norm_first, whole
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def attend(self, x, mask=None):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.q, self.k, self.v))
        if self.whole:
            return self.o(join_heads(functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores + mask
        return self.o(join_heads(torch.softmax(scores, dim=-1) @ v))

    def mlp(self, x):
        return self.down(functional.gelu(self.up(x)))

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attend(self.norm1(x), mask)
            return x + self.mlp(self.norm2(x))
        x = self.norm1(x + self.attend(x, mask))
        return self.norm2(x + self.mlp(x))


class Vit(nn.Module):
    """A small ViT: patches by a convolution, a class token, positions, one layer, a classifier."""

    def __init__(self, width=32, patch=4, image=8, classes=10):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, stride=patch)
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, (image // patch) ** 2 + 1, width))
        self.layer = Encoder(width, norm_first=True)
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.positions
        return self.head(self.norm(self.layer(x))[:, 0])


class TwoTower(nn.Module):
    """Scores of users for items: two MLPs, results of length one, their products."""

    def __init__(self, width=16, hidden=32, out=16):
        super().__init__()
        self.user, self.item = (
            nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, out)) for _ in range(2))

    def forward(self, user, item):
        user, item = functional.normalize(self.user(user), dim=-1), functional.normalize(self.item(item), dim=-1)
        return user @ item.t() * 20.0


class Decode(nn.Module):
    """Attention for one more token of a text, its keys and values behind those of a cache, which it returns."""

    def __init__(self, width=32, heads=2):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, keys, values):
        keys = torch.cat([keys, split_heads(self.k(x), self.heads)], dim=2)
        values = torch.cat([values, split_heads(self.v(x), self.heads)], dim=2)
        q = split_heads(self.q(x), self.heads)
        weights = torch.softmax(q @ keys.transpose(-2, -1) * q.shape[-1] ** -0.5, dim=-1)
        return self.o(join_heads(weights @ values)), keys, values


class DecodeInto(nn.Module):
    """Attention for one more token of a text, whose keys and values go to their place in a cache of all; it returns that."""

    def __init__(self, width=32, heads=2, put=False):
        super().__init__()
        self.heads, self.put = heads, put
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def store(self, cache, place, new):
        if not self.put:
            return cache.index_copy(2, place, new)
        return cache.transpose(0, 2).index_put((place,), new.transpose(0, 2)).transpose(0, 2)

    def forward(self, x, keys, values, place):
        keys = self.store(keys, place, split_heads(self.k(x), self.heads))
        values = self.store(values, place, split_heads(self.v(x), self.heads))
        scores = split_heads(self.q(x), self.heads) @ keys.transpose(-2, -1) * (x.shape[2] // self.heads) ** -0.5
        scores = scores.masked_fill(torch.arange(keys.shape[2]) > place, float("-inf"))
        return self.o(join_heads(torch.softmax(scores, dim=-1) @ values)), keys, values


class Gpt2(nn.Module):
    """A GPT-2 of transformers, which makes its own mask and numbers its tokens, with one layer."""

    def __init__(self):
        super().__init__()
        import transformers
        config = transformers.GPT2Config(
            vocab_size=32, n_positions=16, n_embd=16, n_layer=1, n_head=2, attn_implementation="eager")
        self.model = transformers.GPT2LMHeadModel(config)

    def forward(self, tokens):
        return self.model(tokens, use_cache=False).logits


class Mixture(nn.Module):
    """A mixture of experts, of which a router takes the two that fit a token best; each expert has two layers."""

    def __init__(self, width=16, hidden=24, experts=4):
        super().__init__()
        self.router = nn.Linear(width, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, width, hidden) / 4)
        self.down = nn.Parameter(torch.randn(experts, hidden, width) / 4)

    def choose(self, weights):
        """The weights of the two experts that fit a token best, together one, and 0 for the others."""
        numbers = torch.arange(weights.shape[1])[None]
        best, first = weights.max(-1, keepdim=True)
        next_best, second = weights.masked_fill(numbers == first, 0.0).max(-1, keepdim=True)
        chosen = (numbers == first) | (numbers == second)
        return torch.where(chosen, weights, torch.zeros_like(weights)) / (best + next_best)

    def forward(self, x):
        weights = self.choose(torch.softmax(self.router(x), -1))
        hidden = nn.functional.silu(torch.einsum("td,edf->etf", x, self.up))
        return torch.einsum("etd,te->td", torch.einsum("etf,efd->etd", hidden, self.down), weights)


class TopKMixture(Mixture):
    """The same by topk."""

    def choose(self, weights):
        best, chosen = weights.topk(2, -1)
        best = best / best.sum(-1, keepdim=True)
        of_each = (chosen[..., None] == torch.arange(weights.shape[1])).to(weights.dtype)
        return (of_each * best[..., None]).sum(1)


class RotaryDecode(nn.Module):
    """Attention for one more token whose position is an input; queries and keys are rotated by it."""

    def __init__(self, width=32, heads=2):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))
        size = width // heads
        self.register_buffer("frequencies", 1.0 / 10000 ** (torch.arange(0, size, 2).float() / size))

    def rotate(self, x, cos, sin):
        left, right = x.chunk(2, -1)
        return x * cos + torch.cat([-right, left], -1) * sin

    def forward(self, x, keys, values, position):
        batch, length, width = x.shape
        q, k, v = (part(x).view(batch, length, self.heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        angles = position.float()[:, None] * self.frequencies[None]
        angles = torch.cat([angles, angles], -1)
        cos, sin = angles.cos(), angles.sin()
        q, k = self.rotate(q, cos, sin), self.rotate(k, cos, sin)
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        weights = torch.softmax(q @ keys.transpose(-1, -2) / (width // self.heads) ** 0.5, -1)
        return self.out((weights @ values).transpose(1, 2).reshape(batch, length, width)), keys, values


class Swin(nn.Module):
    """The attention of a Swin transformer: in windows of a picture that is rolled, with a bias for each pair."""

    def __init__(self, width=16, heads=2, window=4):
        super().__init__()
        self.heads, self.window = heads, window
        self.norm, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.bias = nn.Parameter(torch.randn(heads, window**2, window**2))

    def forward(self, x):
        batch, height, columns, width = x.shape
        side, pairs = self.window, self.window**2
        y = torch.roll(self.norm(x), (-2, -2), (1, 2))
        y = y.view(batch, height // side, side, columns // side, side, width).transpose(2, 3).reshape(-1, pairs, width)
        q, k, v = self.qkv(y).view(-1, pairs, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) * (width // self.heads) ** -0.5 + self.bias, -1)
        y = self.out((weights @ v).transpose(1, 2).reshape(-1, pairs, width))
        y = y.view(batch, height // side, columns // side, side, side, width).transpose(2, 3)
        return x + torch.roll(y.reshape(batch, height, columns, width), (2, 2), (1, 2))
